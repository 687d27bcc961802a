package com.example.weather.app;

import com.example.weather.core.Series;

/** Prints what the day was like. */
public class Main {
    public static void main(String[] args) {
        Series day = new Series(11.5, 14, 18.5, 12);
        System.out.printf("%.1f degrees%n", day.mean());
    }
}

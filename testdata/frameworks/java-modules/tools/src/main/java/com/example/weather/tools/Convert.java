package com.example.weather.tools;

import com.example.weather.core.Series;

public class Convert {
    public static void main(String[] args) {
        System.out.println(new Series(32, 50).mean());
    }
}

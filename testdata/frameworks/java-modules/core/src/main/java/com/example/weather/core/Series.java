package com.example.weather.core;

/** Readings of one day, in degrees. */
public record Series(double... degrees) {
    public double mean() {
        double sum = 0;
        for (double d : degrees) {
            sum += d;
        }
        return sum / degrees.length; // @mark mean
    }
}

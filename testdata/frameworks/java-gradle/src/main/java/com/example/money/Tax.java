package com.example.money;

import java.util.Map;

/** What is due on a price, by country. */
public class Tax {
    private static final Map<String, Integer> PERCENT = Map.of("DE", 19, "SE", 25);

    private Tax() {}

    /** The tax on a net price in cents, to the nearest cent. */
    public static long on(long net, String country) {
        Integer percent = PERCENT.get(country);
        if (percent == null) {
            throw new IllegalArgumentException("no tax is known for " + country);
        }
        long due = Math.round(net * percent / 100.0);
        return due; // @mark due
    }
}

package com.example.money;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TaxTest {
    @ParameterizedTest(name = "{0} in {1}: {2}")
    @CsvSource({"1000, DE, 190", "333, SE, 83"})
    void dueByCountry(long net, String country, long expected) {
        assertEquals(expected, Tax.on(net, country));
    }

    @Test
    void refusesUnknownCountries() {
        assertThrows(IllegalArgumentException.class, () -> Tax.on(100, "XX"));
    }
}

package shop;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

/** Tests for those who extend it. */
public abstract class Sums {
    @Test
    public void sums() {
        int sum = 1 + 1;
        assertEquals(2, sum);
    }
}

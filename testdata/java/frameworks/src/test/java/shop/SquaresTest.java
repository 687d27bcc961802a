package shop;

import static org.junit.Assert.assertEquals;

import java.util.Arrays;
import java.util.Collection;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

/** A class that JUnit 4 runs once for each row. */
@RunWith(Parameterized.class)
public class SquaresTest extends Sums {
    private final int n;
    private final int square;

    public SquaresTest(int n, int square) {
        this.n = n;
        this.square = square;
    }

    @Parameterized.Parameters
    public static Collection<Object[]> rows() {
        return Arrays.asList(new Object[][] {{1, 1}, {3, 8}});
    }

    @Test
    public void squares() {
        int got = n * n;
        assertEquals(square, got); //@mark squares
    }
}

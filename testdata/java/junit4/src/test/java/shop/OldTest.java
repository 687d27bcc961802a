package shop;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class OldTest {
    @Test
    public void adds() {
        assertEquals(5, new Calc().add(2, 3)); //@mark adds
    }

    @Test(expected = ArithmeticException.class)
    public void refuses() {
        new Calc().divide(1, 0);
    }
}

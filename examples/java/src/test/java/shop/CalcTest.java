package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class CalcTest {
    private final Calc calc = new Calc();

    @Test
    void adds() {
        int sum = calc.add(2, 3);
        assertEquals(5, sum);
    }

    @Test
    void fails() {
        assertEquals(6, calc.add(2, 3));
    }

    @Test
    @DisplayName("nothing is divided by zero")
    void refuses() {
        assertThrows(ArithmeticException.class, () -> calc.divide(1, 0));
    }
}

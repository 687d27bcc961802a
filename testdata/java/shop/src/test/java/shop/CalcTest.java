package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Nested;
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
        assertEquals(6, calc.add(2, 3)); //@mark fails
    }

    @Test
    void refuses() {
        assertThrows(ArithmeticException.class, () -> calc.divide(1, 0));
    }

    @Nested
    class Inside {
        @Test
        void deep() {
            assertEquals(9, calc.add(4, 5)); //@mark deep
        }
    }
}

package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of each kind that JUnit 5 has. */
class FiveTest {
    @ParameterizedTest
    @CsvSource({"a, 1", "b, 2", "c, 9"})
    void pairs(String letter, int n) {
        int place = letter.charAt(0) - 'a' + 1;
        assertEquals(place, n); //@mark pairs
    }

    @RepeatedTest(3)
    void again(RepetitionInfo info) {
        int round = info.getCurrentRepetition();
        assertTrue(round < 3, "the last round"); //@mark again
    }

    @Test
    void informed(TestInfo info) {
        assertEquals("informed(TestInfo)", info.getDisplayName());
    }

    @TestFactory
    Stream<DynamicTest> made() {
        return Stream.of(2, 3).map(n -> DynamicTest.dynamicTest("square " + n, () -> {
            int square = n * n;
            assertEquals(n + n, square); //@mark made
        }));
    }

    @Nested
    class Inside {
        @Test
        void deep() {
            String word = "deep";
            assertEquals(5, word.length()); //@mark deep
        }
    }

    @Test
    void caught() throws Exception {
        assertThrows(IllegalStateException.class, () -> fail("asserted"));
        assertEquals(3, CompletableFuture.supplyAsync(() -> fail("elsewhere")).exceptionally(e -> 3).get());
        try {
            fail("here");
        } catch (IllegalStateException e) {
            assertEquals("here", e.getMessage());
        }
    }

    @Test
    void assumed() {
        assumeTrue(System.getProperty("never.set") != null);
    }

    @Test
    @Disabled("not now")
    void off() {}

    static int fail(String why) {
        throw new IllegalStateException(why);
    }
}

package shop;

import static org.testng.Assert.assertEquals;
import static org.testng.Assert.assertThrows;

import org.testng.SkipException;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

/** Tests of TestNG. */
public class NgTest {
    @Test
    public void adds() {
        int sum = 2 + 3;
        assertEquals(sum, 6); //@mark ng-adds
    }

    @DataProvider
    public Object[][] rows() {
        return new Object[][] {{1, 1}, {2, 5}};
    }

    @Test(dataProvider = "rows")
    public void squares(int n, int want) {
        int got = n * n;
        assertEquals(got, want); //@mark ng-squares
    }

    @Test(expectedExceptions = IllegalStateException.class, expectedExceptionsMessageRegExp = "b.d")
    public void refuses() {
        assertThrows(IllegalArgumentException.class, () -> {
            throw new IllegalArgumentException("asserted");
        });
        throw new IllegalStateException("bad");
    }

    @Test
    public void skips() {
        throw new SkipException("not here");
    }

    @Test(enabled = false)
    public void off() {}
}

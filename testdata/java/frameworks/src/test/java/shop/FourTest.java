package shop;

import static org.junit.Assert.assertEquals;
import static org.junit.Assume.assumeTrue;

import org.hamcrest.CoreMatchers;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.ErrorCollector;
import org.junit.rules.ExpectedException;
import org.junit.rules.TemporaryFolder;

/** What JUnit 4's rules and annotations make of an exception. */
public class FourTest {
    @Rule
    public ExpectedException thrown = ExpectedException.none();

    @Rule
    public ErrorCollector errors = new ErrorCollector();

    @Rule
    public TemporaryFolder folder = new TemporaryFolder();

    @Test
    public void expectedByRule() {
        thrown.expect(IllegalStateException.class);
        throw new IllegalStateException("as it should");
    }

    @Test(expected = IllegalStateException.class)
    public void expectedOther() {
        int code = 7;
        throw new IllegalArgumentException("code " + code); //@mark expected-other
    }

    @Test
    public void collected() {
        int got = 8;
        errors.checkThat(got, CoreMatchers.is(9)); //@mark collected
    }

    @Test(timeout = 60_000)
    public void timed() {
        int got = 7;
        assertEquals(1, got); //@mark timed
    }

    @Test
    public void assumed() {
        assumeTrue(false);
    }
}

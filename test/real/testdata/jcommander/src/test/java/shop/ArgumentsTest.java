package shop;

import static org.testng.Assert.assertEquals;

import com.beust.jcommander.JCommander;
import com.beust.jcommander.Parameter;
import com.beust.jcommander.ParameterException;
import java.util.ArrayList;
import java.util.List;
import org.testng.annotations.Test;

public class ArgumentsTest {
    static class Arguments {
        @Parameter(names = "--count")
        int count = 1;

        @Parameter(names = "--tag")
        List<String> tags = new ArrayList<>();
    }

    private static Arguments parse(String... words) {
        Arguments arguments = new Arguments();
        JCommander.newBuilder().addObject(arguments).build().parse(words);
        return arguments;
    }

    @Test
    public void counts() {
        Arguments arguments = parse("--count", "12", "--tag", "a,b", "--tag", "c");
        assertEquals(arguments.tags.size(), 3, "tags");
        assertEquals(arguments.count, 12, "count");
    }

    @Test(expectedExceptions = ParameterException.class)
    public void refusesWords() {
        parse("--count", "many");
    }
}

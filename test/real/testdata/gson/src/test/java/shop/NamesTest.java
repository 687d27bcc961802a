package shop;

import static org.junit.Assert.assertEquals;

import com.google.gson.FieldNamingPolicy;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.util.Arrays;
import java.util.Collection;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

@RunWith(Parameterized.class)
public class NamesTest {
    static class Order {
        String customer = "Ada";
        int xRay = 7;
    }

    static class Shop {
        String theName = "Tea & more";
    }

    private final Object value;
    private final String json;

    public NamesTest(Object value, String json) {
        this.value = value;
        this.json = json;
    }

    @Parameterized.Parameters
    public static Collection<Object[]> rows() {
        return Arrays.asList(new Object[][] {
            {new Shop(), "{\"the_name\":\"Tea \\u0026 more\"}"},
            {new Order(), "{\"customer\":\"Ada\",\"x_ray\":7}"},
        });
    }

    @Test
    public void writes() {
        Gson gson = new GsonBuilder().setFieldNamingPolicy(FieldNamingPolicy.LOWER_CASE_WITH_UNDERSCORES).create();
        String written = gson.toJson(value);
        assertEquals(json, written);
    }
}

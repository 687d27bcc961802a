package aidb.bridge;

import aidb.expression.Arithmetic;
import com.sun.jdi.StringReference;
import com.sun.jdi.Value;
import java.util.List;

/** Strings and numbers as they are written. */
final class Literals {
    private Literals() {}

    record Text(String text) implements Expr {
        @Override
        public Value value(Context c) {
            return c.text(text);
        }
    }

    /** A value to be compared by identity: equal literals are one object in Java. */
    static Value shared(Context c, Expr of) {
        Value value = of.value(c);
        return of instanceof Text && value instanceof StringReference text ? Calls.on(c, text, "intern", List.of()) : value;
    }

    static Expr number(String text) {
        Number number = Arithmetic.number(text);
        return c -> {
            if (number instanceof Double d) {
                return c.vm().mirrorOf(d);
            }
            if (number instanceof Float f) {
                return c.vm().mirrorOf(f);
            }
            return number instanceof Long l ? c.vm().mirrorOf(l) : c.mirror((int) number);
        };
    }
}

package bridge;

import com.sun.jdi.StringReference;
import com.sun.jdi.Value;
import java.util.List;

/** Strings, numbers and characters as they are written. */
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

    static Expr character(String text) {
        if (text.length() != 1) {
            throw new Failure("'%s' is not one character: strings are written in \"double quotes\"", text);
        }
        return c -> c.vm().mirrorOf(text.charAt(0));
    }

    static Expr number(String text) {
        String digits = text.toLowerCase().replace("_", "");
        boolean hex = digits.startsWith("0x") || digits.startsWith("-0x");
        char last = digits.charAt(digits.length() - 1);
        try {
            if (!hex && (last == 'f' || last == 'd' || digits.matches(".*[.e].*"))) {
                return floating(digits, last);
            }
            if (last == 'l') {
                long value = integer(digits.substring(0, digits.length() - 1));
                return c -> c.vm().mirrorOf(value);
            }
            long value = integer(digits);
            boolean bits = hex || digits.contains("0b");
            if (value != (int) value && !(bits && value >>> 32 == 0)) {
                throw new Failure("%s is too large for an int: write %sL", text, text);
            }
            return c -> c.mirror((int) value);
        } catch (NumberFormatException e) {
            throw new Failure("%s is not a number", text);
        }
    }

    private static Expr floating(String digits, char last) {
        if (last == 'f') {
            float value = Float.parseFloat(digits);
            return c -> c.vm().mirrorOf(value);
        }
        double value = Double.parseDouble(digits);
        return c -> c.vm().mirrorOf(value);
    }

    private static long integer(String text) {
        boolean negative = text.startsWith("-");
        String digits = negative ? text.substring(1) : text;
        long value;
        if (digits.startsWith("0x")) {
            value = Long.parseUnsignedLong(digits.substring(2), 16);
        } else if (digits.startsWith("0b")) {
            value = Long.parseUnsignedLong(digits.substring(2), 2);
        } else if (digits.length() > 1 && digits.startsWith("0")) {
            value = Long.parseUnsignedLong(digits, 8);
        } else {
            return Long.parseLong(text);
        }
        return negative ? -value : value;
    }
}

package aidbrecorder;

import java.util.Locale;

/** What the operators of the language do with values, and the numbers as they are written. */
final class Operators {
    private Operators() {}

    static boolean truth(Got got) {
        if (got.value instanceof Boolean truth) {
            return truth;
        }
        throw new Failure("a boolean is wanted, not %s", got.kind());
    }

    static Got unary(String sign, Got operand) {
        if (sign.equals("!")) {
            return Got.plain(!truth(operand));
        }
        numeric(operand, sign);
        switch (sign) {
            case "-":
                return operand.value instanceof Double d ? Got.plain(-d) : operand.value instanceof Float f ? Got.plain(-f)
                    : operand.wide() ? Got.plain(-operand.integer()) : Got.plain((int) -operand.integer());
            case "~":
                return operand.wide() ? Got.plain(~operand.integer()) : Got.plain((int) ~operand.integer());
            default:
                return operand.fraction() || operand.wide() ? Got.plain(operand.value) : Got.plain((int) operand.integer());
        }
    }

    static Got binary(String sign, Got a, Got b) {
        if (sign.equals("==") || sign.equals("!=")) {
            return Got.plain(same(a, b) == sign.equals("=="));
        }
        if (sign.equals("+") && (a.value instanceof String || b.value instanceof String)) {
            return Got.of(String.valueOf(a.value) + b.value);
        }
        if (a.value instanceof Boolean x && b.value instanceof Boolean y) {
            switch (sign) {
                case "&":
                    return Got.plain(x & y);
                case "|":
                    return Got.plain(x | y);
                case "^":
                    return Got.plain(x ^ y);
                default:
                    throw new Failure("booleans have no operator %s", sign);
            }
        }
        numeric(a, sign);
        numeric(b, sign);
        if (sign.startsWith("<<") || sign.startsWith(">>")) {
            return shift(sign, a, (int) b.integer());
        }
        if (a.fraction() || b.fraction()) {
            boolean single = !(a.value instanceof Double || b.value instanceof Double);
            return fractions(sign, a.real(), b.real(), single);
        }
        long x = a.integer();
        long y = b.integer();
        if (compares(sign)) {
            return Got.plain(compare(sign, Long.compare(x, y)));
        }
        long result = integers(sign, x, y);
        return a.wide() || b.wide() ? Got.plain(result) : Got.plain((int) result);
    }

    private static boolean same(Got a, Got b) {
        if (!a.primitive && !b.primitive) {
            return a.value == b.value;
        }
        if (a.value instanceof Boolean || b.value instanceof Boolean || a.value == null || b.value == null) {
            return java.util.Objects.equals(a.value, b.value);
        }
        numeric(a, "==");
        numeric(b, "==");
        return a.fraction() || b.fraction() ? a.real() == b.real() : a.integer() == b.integer();
    }

    private static Got shift(String sign, Got a, int by) {
        if (a.wide()) {
            long n = a.integer();
            return Got.plain(sign.equals("<<") ? n << by : sign.equals(">>") ? n >> by : n >>> by);
        }
        int n = (int) a.integer();
        return Got.plain(sign.equals("<<") ? n << by : sign.equals(">>") ? n >> by : n >>> by);
    }

    private static Got fractions(String sign, double x, double y, boolean single) {
        if (compares(sign)) {
            return Got.plain(!Double.isNaN(x) && !Double.isNaN(y) && compare(sign, x == y ? 0 : Double.compare(x, y)));
        }
        double result;
        switch (sign) {
            case "+":
                result = x + y;
                break;
            case "-":
                result = x - y;
                break;
            case "*":
                result = x * y;
                break;
            case "/":
                result = x / y;
                break;
            case "%":
                result = x % y;
                break;
            default:
                throw new Failure("fractions have no operator %s", sign);
        }
        return single ? Got.plain((float) result) : Got.plain(result);
    }

    private static long integers(String sign, long x, long y) {
        if ((sign.equals("/") || sign.equals("%")) && y == 0) {
            throw new Failure("ArithmeticException: / by zero");
        }
        switch (sign) {
            case "+":
                return x + y;
            case "-":
                return x - y;
            case "*":
                return x * y;
            case "/":
                return x / y;
            case "%":
                return x % y;
            case "&":
                return x & y;
            case "|":
                return x | y;
            case "^":
                return x ^ y;
            default:
                throw new Failure("integers have no operator %s", sign);
        }
    }

    private static boolean compares(String sign) {
        return sign.equals("<") || sign.equals(">") || sign.equals("<=") || sign.equals(">=");
    }

    private static boolean compare(String sign, int order) {
        return sign.equals("<") ? order < 0 : sign.equals(">") ? order > 0 : sign.equals("<=") ? order <= 0 : order >= 0;
    }

    private static void numeric(Got got, String sign) {
        if (got.type != null || !got.number() || !got.value.getClass().getName().startsWith("java.lang.")) {
            throw new Failure("%s wants numbers, not %s", sign, got.kind());
        }
    }

    static Got cast(String type, Got got) {
        if (type.equals("boolean")) {
            return Got.plain(truth(got));
        }
        numeric(got, "(" + type + ")");
        boolean real = got.fraction();
        switch (type) {
            case "byte":
                return Got.plain((byte) (real ? (int) got.real() : got.integer()));
            case "short":
                return Got.plain((short) (real ? (int) got.real() : got.integer()));
            case "char":
                return Got.plain((char) (real ? (int) got.real() : got.integer()));
            case "int":
                return Got.plain(real ? (int) got.real() : (int) got.integer());
            case "long":
                return Got.plain(real ? (long) got.real() : got.integer());
            case "float":
                return Got.plain(real ? (float) got.real() : (float) got.integer());
            default:
                return Got.plain(real ? got.real() : (double) got.integer());
        }
    }

    static Expression number(String text) {
        String digits = text.toLowerCase(Locale.ROOT).replace("_", "");
        boolean hex = digits.startsWith("0x") || digits.startsWith("-0x");
        char last = digits.charAt(digits.length() - 1);
        Got got;
        try {
            if (!hex && (last == 'f' || last == 'd' || digits.matches(".*[.e].*"))) {
                got = last == 'f' ? Got.plain(Float.parseFloat(digits)) : Got.plain(Double.parseDouble(digits));
            } else if (last == 'l') {
                got = Got.plain(integer(digits.substring(0, digits.length() - 1)));
            } else {
                long value = integer(digits);
                if (value != (int) value && !((hex || digits.contains("0b")) && value >>> 32 == 0)) {
                    throw new Failure("%s is too large for an int: write %sL", text, text);
                }
                got = Got.plain((int) value);
            }
        } catch (NumberFormatException e) {
            throw new Failure("%s is not a number", text);
        }
        return s -> got;
    }

    private static long integer(String text) {
        boolean negative = text.startsWith("-");
        String digits = negative ? text.substring(1) : text;
        int base = digits.startsWith("0x") ? 16 : digits.startsWith("0b") ? 2 : digits.length() > 1 && digits.startsWith("0") ? 8 : 10;
        if (base == 10) {
            return Long.parseLong(text);
        }
        long value = Long.parseUnsignedLong(digits.substring(base == 8 ? 1 : 2), base);
        return negative ? -value : value;
    }
}

package aidb.expression;

import aidb.text.Failure;
import java.util.Locale;

/** What Java's operators do with plain numbers and booleans, and the numbers as they are written. */
public final class Arithmetic {
    private Arithmetic() {}

    public static boolean compares(String sign) {
        return sign.equals("<") || sign.equals(">") || sign.equals("<=") || sign.equals(">=");
    }

    public static boolean compare(String sign, long x, long y) {
        return compare(sign, Long.compare(x, y));
    }

    public static boolean compare(String sign, double x, double y) {
        return !Double.isNaN(x) && !Double.isNaN(y) && compare(sign, x == y ? 0 : Double.compare(x, y));
    }

    private static boolean compare(String sign, int order) {
        return sign.equals("<") ? order < 0 : sign.equals(">") ? order > 0 : sign.equals("<=") ? order <= 0 : order >= 0;
    }

    public static boolean logic(String sign, boolean x, boolean y) {
        return switch (sign) {
            case "&" -> x & y;
            case "|" -> x | y;
            case "^" -> x ^ y;
            default -> throw new Failure("booleans have no operator %s", sign);
        };
    }

    public static boolean shifts(String sign) {
        return sign.startsWith("<<") || sign.startsWith(">>");
    }

    public static long shift(String sign, long n, int by) {
        return sign.equals("<<") ? n << by : sign.equals(">>") ? n >> by : n >>> by;
    }

    public static int shift(String sign, int n, int by) {
        return sign.equals("<<") ? n << by : sign.equals(">>") ? n >> by : n >>> by;
    }

    public static double fractions(String sign, double x, double y) {
        return switch (sign) {
            case "+" -> x + y;
            case "-" -> x - y;
            case "*" -> x * y;
            case "/" -> x / y;
            case "%" -> x % y;
            default -> throw new Failure("fractions have no operator %s", sign);
        };
    }

    /** Throws what Java throws at a division by zero. */
    public static long integers(String sign, long x, long y) {
        return switch (sign) {
            case "+" -> x + y;
            case "-" -> x - y;
            case "*" -> x * y;
            case "/" -> x / y;
            case "%" -> x % y;
            case "&" -> x & y;
            case "|" -> x | y;
            case "^" -> x ^ y;
            default -> throw new Failure("integers have no operator %s", sign);
        };
    }

    /** A number as it is written: an int, a long, a float or a double. */
    public static Number number(String text) {
        String digits = text.toLowerCase(Locale.ROOT).replace("_", "");
        boolean hex = digits.startsWith("0x") || digits.startsWith("-0x");
        char last = digits.charAt(digits.length() - 1);
        try {
            if (!hex && last == 'f') {
                return Float.parseFloat(digits);
            }
            if (!hex && (last == 'd' || digits.matches(".*[.e].*"))) {
                return Double.parseDouble(digits);
            }
            if (last == 'l') {
                return integer(digits.substring(0, digits.length() - 1));
            }
            long value = integer(digits);
            boolean bits = hex || digits.contains("0b");
            if (value != (int) value && !(bits && value >>> 32 == 0)) {
                throw new Failure("%s is too large for an int: write %sL", text, text);
            }
            return (int) value;
        } catch (NumberFormatException e) {
            throw new Failure("%s is not a number", text);
        }
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

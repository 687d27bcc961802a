package aidb.expression;

import aidb.text.Failure;

/** What the operators of the language do with values. */
public final class Operators {
    private Operators() {}

    public static <V> boolean truth(Values<V> in, V value) {
        if (in.plain(value) instanceof Boolean truth) {
            return truth;
        }
        throw new Failure("a boolean is wanted, not %s", in.kind(value));
    }

    static <V> V unary(Values<V> in, String sign, V operand) {
        if (sign.equals("!")) {
            return in.of(!truth(in, operand));
        }
        Number n = number(in, operand, sign);
        return switch (sign) {
            case "-" -> in.of(negative(n));
            case "~" -> n instanceof Long l ? in.of(~l) : in.of(~n.intValue());
            default -> n instanceof Long || isFraction(n) ? in.of(n) : in.of(n.intValue());
        };
    }

    private static Object negative(Number n) {
        if (n instanceof Double d) {
            return -d;
        }
        if (n instanceof Float f) {
            return -f;
        }
        if (n instanceof Long l) {
            return -l;
        }
        return -n.intValue();
    }

    static <V> V binary(Values<V> in, String sign, V a, V b) {
        if (sign.equals("==") || sign.equals("!=")) {
            return in.of(isSame(in, a, b) == sign.equals("=="));
        }
        if (sign.equals("+") && (in.isText(a) || in.isText(b))) {
            return in.text(in.shown(a) + in.shown(b));
        }
        Object x = in.plain(a);
        Object y = in.plain(b);
        if (x instanceof Boolean left && y instanceof Boolean right) {
            return in.of(Arithmetic.logic(sign, left, right));
        }
        return in.of(calculate(sign, number(in, a, x, sign), number(in, b, y, sign)));
    }

    private static <V> boolean isSame(Values<V> in, V a, V b) {
        if (!in.isPrimitive(a) && !in.isPrimitive(b)) {
            return in.isSame(a, b);
        }
        if (in.isNull(a) || in.isNull(b)) {
            return false;
        }
        Object x = in.plain(a);
        Object y = in.plain(b);
        if (x instanceof Boolean || y instanceof Boolean) {
            return x != null && x.equals(y);
        }
        Number left = number(in, a, x, "==");
        Number right = number(in, b, y, "==");
        return isFraction(left) || isFraction(right) ? left.doubleValue() == right.doubleValue() : left.longValue() == right.longValue();
    }

    private static Object calculate(String sign, Number x, Number y) {
        if (Arithmetic.shifts(sign)) {
            int by = (int) y.longValue();
            return x instanceof Long l ? (Object) Arithmetic.shift(sign, l.longValue(), by) : (Object) Arithmetic.shift(sign, x.intValue(), by);
        }
        if (x instanceof Double || y instanceof Double) {
            return fractions(sign, x.doubleValue(), y.doubleValue(), false);
        }
        if (x instanceof Float || y instanceof Float) {
            return fractions(sign, x.floatValue(), y.floatValue(), true);
        }
        if (Arithmetic.compares(sign)) {
            return Arithmetic.compare(sign, x.longValue(), y.longValue());
        }
        long result = Arithmetic.integers(sign, x.longValue(), y.longValue());
        return x instanceof Long || y instanceof Long ? (Object) result : (Object) (int) result;
    }

    private static Object fractions(String sign, double x, double y, boolean single) {
        if (Arithmetic.compares(sign)) {
            return Arithmetic.compare(sign, x, y);
        }
        double result = Arithmetic.fractions(sign, x, y);
        return single ? (Object) (float) result : (Object) result;
    }

    private static boolean isFraction(Number n) {
        return n instanceof Double || n instanceof Float;
    }

    /** A number that can be calculated with; characters are numbers. */
    private static <V> Number number(Values<V> in, V value, String sign) {
        return number(in, value, in.plain(value), sign);
    }

    private static <V> Number number(Values<V> in, V value, Object plain, String sign) {
        if (plain instanceof Character c) {
            return (int) c;
        }
        if (plain instanceof Number n) {
            return n;
        }
        throw new Failure("%s wants numbers, not %s", sign, in.kind(value));
    }

    static <V> V cast(Values<V> in, V value, TypeName type) {
        if (!type.primitive()) {
            return in.cast(value, type);
        }
        return in.of(type.name().equals("boolean") ? (Object) truth(in, value) : narrow(number(in, value, "(" + type + ")"), type.name()));
    }

    /** A number or character as one of a primitive type. */
    public static Object narrow(Object plain, String type) {
        Number n = plain instanceof Character c ? (Number) (int) c : (Number) plain;
        return switch (type) {
            case "byte" -> (byte) n.intValue();
            case "short" -> (short) n.intValue();
            case "char" -> (char) n.intValue();
            case "int" -> n.intValue();
            case "long" -> n.longValue();
            case "float" -> n.floatValue();
            case "double" -> n.doubleValue();
            default -> plain;
        };
    }

    /** What x op= y leaves in x: the result, narrowed to the type of x. */
    static <V> V back(Values<V> in, V result, V like) {
        Object plain = in.plain(result);
        Object old = in.plain(like);
        if (plain == null || old == null || plain instanceof Boolean || old instanceof Boolean) {
            return result;
        }
        return in.of(narrow(plain, primitive(old)));
    }

    /** The name of the primitive type whose values an object holds. */
    private static String primitive(Object plain) {
        return plain instanceof Character ? "char" : plain instanceof Integer ? "int" : plain.getClass().getSimpleName().toLowerCase(java.util.Locale.ROOT);
    }
}

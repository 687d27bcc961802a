package aidb.recorder;

import aidb.expression.Arithmetic;
import aidb.text.Failure;

/** What the operators of the language do with values. */
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
            return Got.plain(Arithmetic.logic(sign, x, y));
        }
        numeric(a, sign);
        numeric(b, sign);
        if (Arithmetic.shifts(sign)) {
            int by = (int) b.integer();
            return a.wide() ? Got.plain(Arithmetic.shift(sign, a.integer(), by)) : Got.plain(Arithmetic.shift(sign, (int) a.integer(), by));
        }
        return a.fraction() || b.fraction() ? fractions(sign, a, b) : integers(sign, a, b);
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

    private static Got fractions(String sign, Got a, Got b) {
        if (Arithmetic.compares(sign)) {
            return Got.plain(Arithmetic.compare(sign, a.real(), b.real()));
        }
        double result = Arithmetic.fractions(sign, a.real(), b.real());
        return a.value instanceof Double || b.value instanceof Double ? Got.plain(result) : Got.plain((float) result);
    }

    private static Got integers(String sign, Got a, Got b) {
        if (Arithmetic.compares(sign)) {
            return Got.plain(Arithmetic.compare(sign, a.integer(), b.integer()));
        }
        long result = Arithmetic.integers(sign, a.integer(), b.integer());
        return a.wide() || b.wide() ? Got.plain(result) : Got.plain((int) result);
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
}

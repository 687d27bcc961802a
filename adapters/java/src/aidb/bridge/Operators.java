package aidb.bridge;

import aidb.expression.Arithmetic;
import aidb.expression.TypeName;
import aidb.text.Failure;
import com.sun.jdi.ArrayReference;
import com.sun.jdi.BooleanValue;
import com.sun.jdi.CharValue;
import com.sun.jdi.DoubleValue;
import com.sun.jdi.FloatValue;
import com.sun.jdi.LongValue;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.PrimitiveValue;
import com.sun.jdi.StringReference;
import com.sun.jdi.Value;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.VoidValue;

/** What the operators of the language do with values. */
final class Operators {
    private Operators() {}

    static boolean truth(Context c, Value value) {
        if (Calls.unbox(value) instanceof BooleanValue truth) {
            return truth.value();
        }
        throw new Failure("a boolean is wanted, not %s", what(value));
    }

    static int integer(Context c, Value value) {
        Value plain = Calls.unbox(value);
        if (plain instanceof PrimitiveValue n && !(plain instanceof BooleanValue || plain instanceof LongValue || fraction(plain))) {
            return n.intValue();
        }
        throw new Failure("an int is wanted, not %s", what(value));
    }

    private static String what(Value value) {
        if (value == null) {
            return "null";
        }
        return value instanceof VoidValue ? "nothing" : "a " + Names.simple(value.type().name());
    }

    static Value unary(Context c, String sign, Value operand) {
        if (sign.equals("!")) {
            return c.mirror(!truth(c, operand));
        }
        PrimitiveValue n = numeric(operand, sign);
        switch (sign) {
            case "-":
                return fraction(n) || n instanceof LongValue ? binary(c, "-", zero(c, n), n) : c.mirror(-n.intValue());
            case "~":
                return n instanceof LongValue ? c.vm().mirrorOf(~n.longValue()) : c.mirror(~n.intValue());
            default:
                return n instanceof LongValue || fraction(n) ? n : c.mirror(n.intValue());
        }
    }

    private static Value zero(Context c, PrimitiveValue like) {
        if (like instanceof DoubleValue) {
            return c.vm().mirrorOf(-0.0);
        }
        return like instanceof FloatValue ? c.vm().mirrorOf(-0.0f) : c.vm().mirrorOf(0L);
    }

    static Value binary(Context c, String sign, Value a, Value b) {
        if (sign.equals("==") || sign.equals("!=")) {
            return c.mirror(same(a, b) == sign.equals("=="));
        }
        if (sign.equals("+") && (a instanceof StringReference || b instanceof StringReference)) {
            return c.text(Calls.text(c, a) + Calls.text(c, b));
        }
        if (Calls.unbox(a) instanceof BooleanValue x && Calls.unbox(b) instanceof BooleanValue y) {
            return c.mirror(Arithmetic.logic(sign, x.value(), y.value()));
        }
        PrimitiveValue x = numeric(a, sign);
        PrimitiveValue y = numeric(b, sign);
        if (Arithmetic.shifts(sign)) {
            return shift(c, sign, x, y);
        }
        if (x instanceof DoubleValue || y instanceof DoubleValue) {
            return fractions(c, sign, x.doubleValue(), y.doubleValue(), false);
        }
        if (x instanceof FloatValue || y instanceof FloatValue) {
            return fractions(c, sign, x.floatValue(), y.floatValue(), true);
        }
        return integers(c, sign, x, y);
    }

    private static boolean same(Value a, Value b) {
        boolean primitive = a instanceof PrimitiveValue || b instanceof PrimitiveValue;
        if (!primitive || a == null || b == null) {
            return a == null ? b == null : a.equals(b);
        }
        Value x = Calls.unbox(a);
        Value y = Calls.unbox(b);
        if (x instanceof BooleanValue || y instanceof BooleanValue) {
            return x.equals(y);
        }
        PrimitiveValue left = numeric(x, "==");
        PrimitiveValue right = numeric(y, "==");
        if (fraction(left) || fraction(right)) {
            return left.doubleValue() == right.doubleValue();
        }
        return left.longValue() == right.longValue();
    }

    private static Value shift(Context c, String sign, PrimitiveValue x, PrimitiveValue y) {
        int by = (int) y.longValue();
        return x instanceof LongValue ? c.vm().mirrorOf(Arithmetic.shift(sign, x.longValue(), by)) : c.mirror(Arithmetic.shift(sign, x.intValue(), by));
    }

    private static Value fractions(Context c, String sign, double x, double y, boolean single) {
        if (Arithmetic.compares(sign)) {
            return c.mirror(Arithmetic.compare(sign, x, y));
        }
        double result = Arithmetic.fractions(sign, x, y);
        return single ? c.vm().mirrorOf((float) result) : c.vm().mirrorOf(result);
    }

    private static Value integers(Context c, String sign, PrimitiveValue x, PrimitiveValue y) {
        if (Arithmetic.compares(sign)) {
            return c.mirror(Arithmetic.compare(sign, x.longValue(), y.longValue()));
        }
        long result;
        try {
            result = Arithmetic.integers(sign, x.longValue(), y.longValue());
        } catch (ArithmeticException e) {
            throw new Failure("division by zero");
        }
        return x instanceof LongValue || y instanceof LongValue ? c.vm().mirrorOf(result) : c.mirror((int) result);
    }

    private static boolean fraction(Value v) {
        return v instanceof DoubleValue || v instanceof FloatValue;
    }

    private static PrimitiveValue numeric(Value value, String sign) {
        if (Calls.unbox(value) instanceof PrimitiveValue n && !(n instanceof BooleanValue)) {
            return n;
        }
        throw new Failure("%s wants numbers, not %s", sign, what(value));
    }

    static boolean instance(Context c, Value value, TypeName type) {
        return value instanceof ObjectReference object && Calls.distance(object.type(), Types.full(c, type)) >= 0;
    }

    /** What x op= y leaves in x: the result, narrowed to the type of x. */
    static Value back(Context c, Value result, Value like) {
        if (!(result instanceof PrimitiveValue n) || !(Calls.unbox(like) instanceof PrimitiveValue old) || n instanceof BooleanValue) {
            return result;
        }
        return narrow(c.vm(), n, old.type().name());
    }

    static Value cast(Context c, Value value, TypeName type) {
        if (type.primitive()) {
            Value plain = Calls.unbox(value);
            if (type.name().equals("boolean")) {
                return c.mirror(truth(c, plain));
            }
            return narrow(c.vm(), numeric(plain, "(" + type + ")"), type.name());
        }
        String full = Types.full(c, type);
        if (value instanceof PrimitiveValue n) {
            return Calls.fit(c, n, full);
        }
        if (value instanceof ObjectReference object && Calls.distance(object.type(), full) < 0) {
            throw new Failure("%s cannot be cast to %s", what(value), type);
        }
        return value;
    }

    static Value narrow(VirtualMachine vm, PrimitiveValue n, String type) {
        boolean character = n instanceof CharValue;
        switch (type) {
            case "byte":
                return vm.mirrorOf(character ? (byte) n.charValue() : n.byteValue());
            case "short":
                return vm.mirrorOf(character ? (short) n.charValue() : n.shortValue());
            case "char":
                return vm.mirrorOf((char) n.intValue());
            case "int":
                return vm.mirrorOf(n.intValue());
            case "long":
                return vm.mirrorOf(n.longValue());
            case "float":
                return vm.mirrorOf(n.floatValue());
            case "double":
                return vm.mirrorOf(n.doubleValue());
            default:
                return n;
        }
    }
}

package aidb.expression;

import aidb.text.Escapes;
import java.util.ArrayList;
import java.util.List;

/** What expressions that only read are made of. */
public final class Nodes {
    private Nodes() {}

    /** A literal: a text, null, or what {@link Values#of} takes. */
    public record Constant(String text, Object literal) implements Expression {
        static Constant of(String text) {
            return new Constant(quoted(text, '"'), text.intern());
        }

        static Constant of(char c) {
            return new Constant(c == '\'' ? "'\\''" : quoted(String.valueOf(c), '\''), c);
        }

        private static String quoted(String text, char quote) {
            return quote + Escapes.escape(text, quote) + quote;
        }

        @Override
        public <V> V value(Values<V> in) {
            return literal == null ? in.nothing() : literal instanceof String s ? in.text(s) : in.of(literal);
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /** Two operands with an operator. */
    public record Joined(String sign, Expression left, Expression right) implements Expression {
        @Override
        public <V> V value(Values<V> in) {
            return switch (sign) {
                case "&&" -> in.of(Operators.truth(in, left.value(in)) && Operators.truth(in, right.value(in)));
                case "||" -> in.of(Operators.truth(in, left.value(in)) || Operators.truth(in, right.value(in)));
                case "==", "!=" -> Operators.binary(in, sign, shared(left, in), shared(right, in));
                default -> Operators.binary(in, sign, left.value(in), right.value(in));
            };
        }

        /** An operand that is compared by identity: equal literals are one object in Java. */
        private static <V> V shared(Expression e, Values<V> in) {
            V value = e.value(in);
            return e.plain() instanceof Constant c && c.literal instanceof String ? in.interned(value) : value;
        }

        @Override
        public List<Expression> parts() {
            return List.of(left, right);
        }

        @Override
        public String toString() {
            return left + " " + sign + " " + right;
        }
    }

    public record Signed(String sign, Expression operand) implements Expression {
        @Override
        public <V> V value(Values<V> in) {
            return Operators.unary(in, sign, operand.value(in));
        }

        @Override
        public List<Expression> parts() {
            return List.of(operand);
        }

        @Override
        public String toString() {
            return sign + operand;
        }
    }

    public record Enclosed(Expression inner) implements Expression {
        @Override
        public <V> V value(Values<V> in) {
            return inner.value(in);
        }

        @Override
        public Expression plain() {
            return inner.plain();
        }

        @Override
        public List<Expression> parts() {
            return List.of(inner);
        }

        @Override
        public String toString() {
            return "(" + inner + ")";
        }
    }

    public record Choice(Expression condition, Expression yes, Expression no) implements Expression {
        @Override
        public <V> V value(Values<V> in) {
            return Operators.truth(in, condition.value(in)) ? yes.value(in) : no.value(in);
        }

        @Override
        public List<Expression> parts() {
            return List.of(condition, yes, no);
        }

        @Override
        public String toString() {
            return condition + " ? " + yes + " : " + no;
        }
    }

    public record Instance(Expression value, TypeName type) implements Expression {
        @Override
        public <V> V value(Values<V> in) {
            return in.of(in.isInstance(value.value(in), type));
        }

        @Override
        public List<Expression> parts() {
            return List.of(value);
        }

        @Override
        public String toString() {
            return value + " instanceof " + type;
        }
    }

    public record Cast(TypeName type, Expression value) implements Expression {
        @Override
        public <V> V value(Values<V> in) {
            return Operators.cast(in, value.value(in), type);
        }

        @Override
        public List<Expression> parts() {
            return List.of(value);
        }

        @Override
        public String toString() {
            return "(" + type + ") " + value;
        }
    }

    public record Element(Expression on, Expression index) implements Expression {
        @Override
        public <V> V value(Values<V> in) {
            return in.element(on.value(in), index.value(in));
        }

        @Override
        public List<Expression> parts() {
            return List.of(on, index);
        }

        @Override
        public String toString() {
            return on + "[" + index + "]";
        }
    }

    /** The object of a class. */
    public record ClassOf(Expression on) implements Expression {
        @Override
        public <V> V value(Values<V> in) {
            return in.classOf(on);
        }

        @Override
        public List<Expression> parts() {
            return List.of(on);
        }

        @Override
        public String toString() {
            return on + ".class";
        }
    }

    public record Call(Expression on, String name, List<Expression> arguments) implements Expression {
        @Override
        public <V> V value(Values<V> in) {
            return in.call(on, name, arguments);
        }

        @Override
        public List<Expression> parts() {
            List<Expression> all = new ArrayList<>(arguments);
            all.add(0, on);
            return all;
        }

        @Override
        public String toString() {
            return on + "." + name + given(arguments);
        }
    }

    /** A call by a method's bare name. */
    public record Bare(String name, List<Expression> arguments) implements Expression {
        @Override
        public <V> V value(Values<V> in) {
            return in.bare(name, arguments);
        }

        @Override
        public List<Expression> parts() {
            return arguments;
        }

        @Override
        public String toString() {
            return name + given(arguments);
        }
    }

    private static String given(List<Expression> arguments) {
        return "(" + String.join(", ", arguments.stream().map(Object::toString).toList()) + ")";
    }

    /** The object whose method runs. */
    public record Self(String word) implements Expression {
        @Override
        public <V> V value(Values<V> in) {
            return in.self();
        }

        @Override
        public String toString() {
            return word;
        }
    }

    public record Name(String name) implements Expression {
        @Override
        public <V> V value(Values<V> in) {
            return in.name(name);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** A field, a static one, or a class by its full name. */
    public record Member(Expression on, String name) implements Expression {
        @Override
        public <V> V value(Values<V> in) {
            return in.member(on, name);
        }

        @Override
        public List<Expression> parts() {
            return List.of(on);
        }

        @Override
        public String toString() {
            return on + "." + name;
        }

        /** The dotted name that this is; null when it hangs on something else. */
        public String dotted() {
            return dotted(on, name);
        }

        public static String dotted(Expression on, String name) {
            if (name.equals("this")) {
                return null;
            }
            if (on instanceof Name first) {
                return first.name + "." + name;
            }
            String before = on instanceof Member member ? member.dotted() : null;
            return before == null ? null : before + "." + name;
        }
    }

    /** A call of what the class of this object inherits. */
    record Inherited(String name, List<Expression> arguments) implements Expression {
        @Override
        public <V> V value(Values<V> in) {
            return in.inherited(name, arguments);
        }
    }

    /** An operand, which tells what it was whenever it is evaluated. */
    public record Watched(int number, Expression of) implements Expression {
        @Override
        public <V> V value(Values<V> in) {
            V value = of.value(in);
            in.sees(number, value);
            return value;
        }

        @Override
        public List<Expression> parts() {
            return List.of(of);
        }

        @Override
        public String toString() {
            return of.toString();
        }
    }
}

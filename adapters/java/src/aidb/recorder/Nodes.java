package aidb.recorder;

import aidb.expression.TypeName;
import aidb.text.Failure;
import java.util.ArrayList;
import java.util.List;

/** What expressions are made of, but for names and fields. */
final class Nodes {
    private Nodes() {}

    record Constant(String text, Got is) implements Expression {
        @Override
        public Got get(Scope s) {
            return is;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /** Two operands with an operator. */
    record Joined(String sign, Expression left, Expression right) implements Expression {
        @Override
        public Got get(Scope s) {
            switch (sign) {
                case "&&":
                    return Got.plain(Operators.truth(left.get(s)) && Operators.truth(right.get(s)));
                case "||":
                    return Got.plain(Operators.truth(left.get(s)) || Operators.truth(right.get(s)));
                default:
                    return Operators.binary(sign, left.get(s), right.get(s));
            }
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

    record Signed(String sign, Expression operand) implements Expression {
        @Override
        public Got get(Scope s) {
            return Operators.unary(sign, operand.get(s));
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

    record Enclosed(Expression inner) implements Expression {
        @Override
        public Got get(Scope s) {
            return inner.get(s);
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

    record Choice(Expression condition, Expression yes, Expression no) implements Expression {
        @Override
        public Got get(Scope s) {
            return Operators.truth(condition.get(s)) ? yes.get(s) : no.get(s);
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

    record Instance(Expression value, TypeName type) implements Expression {
        @Override
        public Got get(Scope s) {
            return Got.plain(Members.type(s, type).isInstance(value.value(s)));
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

    record Cast(TypeName type, Expression value) implements Expression {
        @Override
        public Got get(Scope s) {
            return type.primitive() ? Operators.cast(type.name(), value.get(s)) : Members.cast(s, type, value.get(s));
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

    record Element(Expression on, Expression index) implements Expression {
        @Override
        public Got get(Scope s) {
            return Members.element(on.get(s), index.get(s));
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
    record ClassOf(Expression on) implements Expression {
        @Override
        public Got get(Scope s) {
            return Got.of(on.get(s).type);
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

    record Call(Expression on, String name, List<Expression> arguments) implements Expression {
        @Override
        public Got get(Scope s) {
            return Members.call(s, on.get(s), name, arguments);
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
    record Bare(String name, List<Expression> arguments) implements Expression {
        @Override
        public Got get(Scope s) {
            return Members.bare(s, name, arguments);
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
    record Self(String word) implements Expression {
        @Override
        public Got get(Scope s) {
            if (s.self == null) {
                throw new Failure("there is no this in a static method");
            }
            return Got.of(s.self);
        }

        @Override
        public String toString() {
            return word;
        }
    }
}

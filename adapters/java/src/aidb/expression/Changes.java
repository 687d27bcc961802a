package aidb.expression;

import java.util.List;

/** Expressions that change the program, or make something in it. */
final class Changes {
    private Changes() {}

    record Assigned(Expression place, Expression to) implements Expression {
        @Override
        public <V> V value(Values<V> in) {
            return in.assign(place, to.value(in));
        }
    }

    /** place += with. */
    record Updated(Expression place, String sign, Expression with) implements Expression {
        @Override
        public <V> V value(Values<V> in) {
            V before = place.value(in);
            return in.assign(place, Operators.back(in, Operators.binary(in, sign, before, with.value(in)), before));
        }
    }

    /** ++ or --, in front of a place or behind it. */
    record Stepped(Expression place, String sign, boolean isBehind) implements Expression {
        @Override
        public <V> V value(Values<V> in) {
            V before = place.value(in);
            V then = in.assign(place, Operators.back(in, Operators.binary(in, sign.substring(1), before, in.of(1)), before));
            return isBehind ? before : then;
        }
    }

    record Created(String type, List<Expression> arguments) implements Expression {
        @Override
        public <V> V value(Values<V> in) {
            return in.create(type, arguments);
        }
    }

    record Array(TypeName type, Expression length) implements Expression {
        @Override
        public <V> V value(Values<V> in) {
            return in.array(type, length.value(in));
        }
    }

    record Elements(TypeName type, List<Expression> elements) implements Expression {
        @Override
        public <V> V value(Values<V> in) {
            return in.elements(type, elements);
        }
    }
}

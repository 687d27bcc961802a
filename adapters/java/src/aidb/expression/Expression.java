package aidb.expression;

import java.util.List;

/** A parsed expression. Its text is that of the source. */
public interface Expression {
    /** What it is worth where the names and values are those that are given. */
    <V> V value(Values<V> in);

    /** What it is made of. */
    default List<Expression> parts() {
        return List.of();
    }

    /** Itself without parentheses around it. */
    default Expression plain() {
        return this;
    }
}

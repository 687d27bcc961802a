package aidb.recorder;

import aidb.text.Failure;
import java.util.List;

/** A parsed expression. Its text is that of the source. */
interface Expression {
    Got get(Scope scope);

    /** What it is made of. */
    default List<Expression> parts() {
        return List.of();
    }

    default Object value(Scope scope) {
        Got got = get(scope);
        if (got.type != null) {
            throw new Failure("%s is a class", Show.type(got.type));
        }
        return got.value;
    }

    default boolean holds(Scope scope) {
        Object value = guarded(scope).value;
        if (value instanceof Boolean truth) {
            return truth;
        }
        throw new Failure("it is %s, not a boolean", Show.text(value));
    }

    /** Whatever the program's own code throws is a failure of the expression. */
    default Got guarded(Scope scope) {
        try {
            Got got = get(scope);
            if (got.type != null) {
                throw new Failure("it is the name of a class");
            }
            return got;
        } catch (Failure f) {
            throw f;
        } catch (RuntimeException | StackOverflowError e) {
            throw new Failure("%s", Show.thrown(e));
        }
    }

    /** As it is noted. */
    default Notes.Value noted(Scope scope, boolean places) {
        Got got;
        try {
            got = guarded(scope);
        } catch (Failure f) {
            return Notes.Value.failed(f.getMessage());
        }
        Notes.Value v = Notes.Value.of(got.value);
        if (places) {
            v.place = got.place();
            v.of = Ids.of(got.holder);
            v.asked();
        }
        return v;
    }
}

package aidb.expression;

import aidb.text.Failure;
import java.util.List;

/**
 * What an expression is evaluated with: what names mean, and values of which only this knows what
 * they are. {@link Operators} does with them what the operators of the language do.
 */
public interface Values<V> {
    /** The value of a primitive type: of a Boolean, a Character or a Number of java.lang. */
    V of(Object plain);

    /** Such an object for a value of a primitive type, or of one that holds one; null for all others. */
    Object plain(V value);

    boolean isPrimitive(V value);

    V nothing();

    boolean isNull(V value);

    V text(String text);

    boolean isText(V value);

    /** A value as a text has it that it is added to. */
    String shown(V value);

    /** The text that all equal literals are. */
    V interned(V text);

    /** Whether two are the same object. */
    boolean isSame(V a, V b);

    /** What it is, for messages: "a String". */
    String kind(V value);

    boolean isInstance(V value, TypeName type);

    /** The value as one of a type that is not primitive. */
    V cast(V value, TypeName type);

    V classOf(Expression named);

    /** The object whose method runs. */
    V self();

    V name(String name);

    V member(Expression on, String name);

    V element(V on, V index);

    V call(Expression on, String name, List<Expression> arguments);

    /** A call by a method's bare name. */
    V bare(String name, List<Expression> arguments);

    /** An operand that is watched was read. */
    default void sees(int operand, V value) {}

    // What may change the program; who parses only what reads is not asked for it.

    private static Failure onlyRead() {
        return new Failure("what is evaluated here must only read the program");
    }

    /** Calls what the class of this object inherits. */
    default V inherited(String name, List<Expression> arguments) {
        throw onlyRead();
    }

    /** Gives something a value, and answers with the one that it then has. */
    default V assign(Expression place, V value) {
        throw onlyRead();
    }

    default V create(String type, List<Expression> arguments) {
        throw onlyRead();
    }

    default V array(TypeName type, V length) {
        throw onlyRead();
    }

    default V elements(TypeName type, List<Expression> elements) {
        throw onlyRead();
    }
}

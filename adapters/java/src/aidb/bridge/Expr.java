package aidb.bridge;

import aidb.text.Failure;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.Value;

/** A parsed expression. */
interface Expr {
    /** Its value; null is Java's null. */
    Value value(Context c);

    /** The type that it names, such as java.util.List; null when it is no name of a type. */
    default ReferenceType type(Context c) {
        return null;
    }

    /** The field that it names; null when it names something else. */
    default Names.Place place(Context c) {
        return null;
    }

    /** Gives it a value and answers the one it then has. */
    default Value assign(Context c, Value v) {
        throw new Failure("only variables, fields and array elements can be assigned to");
    }
}

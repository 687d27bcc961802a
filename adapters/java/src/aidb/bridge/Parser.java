package aidb.bridge;

import aidb.expression.Grammar;
import aidb.expression.Lexer;
import aidb.expression.TypeName;
import aidb.text.Failure;
import com.sun.jdi.Value;
import java.util.ArrayList;
import java.util.List;

/** Reads Java expressions, and what they do in the program. */
final class Parser extends Grammar<Expr> {
    private Parser(String text) {
        super(text);
    }

    static Expr parse(String text) {
        return new Parser(text).whole();
    }

    @Override
    protected Expr expression() {
        Expr left = super.expression();
        if (take("=")) {
            Expr right = expression();
            return c -> left.assign(c, right.value(c));
        }
        Lexer.Token t = peek();
        String sign = t.kind() == Lexer.Kind.SIGN && t.text().length() > 1 && t.text().endsWith("=") ? t.text().substring(0, t.text().length() - 1) : "";
        if (!List.of("+", "-", "*", "/", "%", "&", "|", "^", "<<").contains(sign)) {
            return left;
        }
        next();
        Expr right = expression();
        return c -> left.assign(c, Operators.back(c, Operators.binary(c, sign, left.value(c), right.value(c)), left.value(c)));
    }

    @Override
    protected Expr choice(Expr condition, Expr yes, Expr no) {
        return c -> Operators.truth(c, condition.value(c)) ? yes.value(c) : no.value(c);
    }

    @Override
    protected Expr join(String sign, Expr left, Expr right) {
        switch (sign) {
            case "&&":
                return c -> c.mirror(Operators.truth(c, left.value(c)) && Operators.truth(c, right.value(c)));
            case "||":
                return c -> c.mirror(Operators.truth(c, left.value(c)) || Operators.truth(c, right.value(c)));
            default:
                boolean identity = sign.equals("==") || sign.equals("!=");
                return c -> {
                    Value first = identity ? Literals.shared(c, left) : left.value(c);
                    return Operators.binary(c, sign, first, identity ? Literals.shared(c, right) : right.value(c));
                };
        }
    }

    @Override
    protected Expr instance(Expr value, TypeName type) {
        return c -> c.mirror(Operators.instance(c, value.value(c), type));
    }

    @Override
    protected Expr unary() {
        for (String step : List.of("++", "--")) {
            if (take(step)) {
                Expr place = unary();
                return c -> step(c, place, step, false);
            }
        }
        return super.unary();
    }

    @Override
    protected Expr after(Expr value) {
        if (!peek().is("++") && !peek().is("--")) {
            return null;
        }
        String step = next();
        return c -> step(c, value, step, true);
    }

    private static Value step(Context c, Expr place, String sign, boolean after) {
        Value before = place.value(c);
        Value then = place.assign(c, Operators.back(c, Operators.binary(c, sign.substring(1), before, c.mirror(1)), before));
        return after ? before : then;
    }

    @Override
    protected Expr sign(String sign, Expr operand) {
        return c -> Operators.unary(c, sign, operand.value(c));
    }

    @Override
    protected Expr cast(TypeName type, Expr value) {
        return c -> Operators.cast(c, value.value(c), type);
    }

    @Override
    protected Expr element(Expr on, Expr index) {
        return new Names.Element(on, index);
    }

    @Override
    protected Expr classOf(Expr on) {
        return c -> Types.classOf(c, on);
    }

    @Override
    protected Expr member(Expr on, String name) {
        return new Names.Member(on, name);
    }

    @Override
    protected Expr call(Expr on, String name, List<Expr> arguments) {
        return new Names.Call(on, name, arguments);
    }

    @Override
    protected Expr number(String text) {
        return Literals.number(text);
    }

    @Override
    protected Expr text(String text) {
        return new Literals.Text(text);
    }

    @Override
    protected Expr character(char c) {
        return context -> context.vm().mirrorOf(c);
    }

    @Override
    protected Expr word(String word) {
        switch (word) {
            case "true":
                return c -> c.mirror(true);
            case "false":
                return c -> c.mirror(false);
            case "null":
                return c -> null;
            case "this":
                return Parser::self;
            case "super":
                want(".");
                String method = name();
                return peek().is("(") ? new Names.Super(method, arguments()) : new Names.Member(Parser::self, method);
            case "new":
                return creation();
            default:
        }
        if (peek().is("->")) {
            throw unexpected();
        }
        return peek().is("(") ? new Names.Call(null, word, arguments()) : new Names.Name(word);
    }

    private static Value self(Context c) {
        if (c.self() == null) {
            throw new Failure("there is no this in a static method");
        }
        return c.self();
    }

    private Expr creation() {
        StringBuilder name = new StringBuilder(name());
        while (take(".")) {
            name.append('.').append(name());
        }
        generics();
        if (peek().is("(")) {
            List<Expr> arguments = arguments();
            if (peek().is("{")) {
                throw new Failure("anonymous classes cannot be evaluated");
            }
            return c -> Calls.create(c, Types.need(c, name.toString()), c.values(arguments));
        }
        int dimensions = 0;
        Expr length = null;
        while (take("[")) {
            dimensions++;
            if (!peek().is("]")) {
                if (length != null) {
                    throw new Failure("only the first dimension of a new array can be given");
                }
                length = expression();
            }
            want("]");
        }
        TypeName type = new TypeName(name.toString(), dimensions);
        if (length != null) {
            Expr size = length;
            return c -> Types.array(c, type, Operators.integer(c, size.value(c)));
        }
        List<Expr> elements = elements();
        return c -> Types.array(c, type, c.values(elements));
    }

    private List<Expr> elements() {
        List<Expr> elements = new ArrayList<>();
        want("{");
        while (!take("}")) {
            elements.add(expression());
            if (!take(",")) {
                want("}");
                break;
            }
        }
        return elements;
    }
}

package aidbrecorder;

import java.util.List;

/** Reads Java expressions that only read: what changes the program is refused with a reason. */
final class Parser extends Grammar<Expression> {
    private Parser(String text) {
        super(text);
    }

    static Expression parse(String text) {
        return new Parser(text).whole();
    }

    @Override
    Failure unexpected() {
        Lexer.Token t = peek();
        if (t.kind() == Lexer.Kind.SIGN && (t.is("++") || t.is("--") || t.text().endsWith("="))) {
            return new Failure("%s changes the program, and what is traced must only read it", shown(t));
        }
        return super.unexpected();
    }

    @Override
    Expression choice(Expression condition, Expression yes, Expression no) {
        return s -> Operators.truth(condition.get(s)) ? yes.get(s) : no.get(s);
    }

    @Override
    Expression join(String sign, Expression left, Expression right) {
        switch (sign) {
            case "&&":
                return s -> Got.plain(Operators.truth(left.get(s)) && Operators.truth(right.get(s)));
            case "||":
                return s -> Got.plain(Operators.truth(left.get(s)) || Operators.truth(right.get(s)));
            default:
                return s -> Operators.binary(sign, left.get(s), right.get(s));
        }
    }

    @Override
    Expression instance(Expression value, TypeName type) {
        return s -> Got.plain(Members.type(s, type).isInstance(value.value(s)));
    }

    @Override
    Expression sign(String sign, Expression operand) {
        return s -> Operators.unary(sign, operand.get(s));
    }

    @Override
    Expression cast(TypeName type, Expression value) {
        return s -> type.primitive() ? Operators.cast(type.name(), value.get(s)) : Members.cast(s, type, value.get(s));
    }

    @Override
    Expression element(Expression on, Expression index) {
        return s -> Members.element(on.get(s), index.get(s));
    }

    @Override
    Expression classOf(Expression on) {
        return s -> Got.of(on.get(s).type);
    }

    @Override
    Expression member(Expression on, String name) {
        return new Members.Field(on, name);
    }

    @Override
    Expression call(Expression on, String name, List<Expression> arguments) {
        return s -> Members.call(s, on.get(s), name, arguments);
    }

    @Override
    Expression number(String text) {
        Got got = Got.plain(Arithmetic.number(text));
        return s -> got;
    }

    @Override
    Expression text(String text) {
        String literal = text.intern(); // equal literals are one object in Java
        return s -> Got.of(literal);
    }

    @Override
    Expression character(char c) {
        Got got = Got.plain(c);
        return s -> got;
    }

    @Override
    Expression word(String word) {
        switch (word) {
            case "true":
                return s -> Got.plain(true);
            case "false":
                return s -> Got.plain(false);
            case "null":
                return s -> Got.of(null);
            case "this":
                return Parser::self;
            case "super":
                want(".");
                return new Members.Field(Parser::self, name());
            case "new":
                throw new Failure("making objects is not traced: what is traced must only read the program");
            default:
        }
        if (peek().is("->")) {
            throw unexpected();
        }
        if (peek().is("(")) {
            List<Expression> arguments = arguments();
            return s -> Members.bare(s, word, arguments);
        }
        return new Members.Name(word);
    }

    private static Got self(Scope s) {
        if (s.self == null) {
            throw new Failure("there is no this in a static method");
        }
        return Got.of(s.self);
    }
}

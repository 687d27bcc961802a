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
        return new Nodes.Choice(condition, yes, no);
    }

    @Override
    Expression join(String sign, Expression left, Expression right) {
        return new Nodes.Joined(sign, left, right);
    }

    @Override
    Expression instance(Expression value, TypeName type) {
        return new Nodes.Instance(value, type);
    }

    @Override
    Expression sign(String sign, Expression operand) {
        return new Nodes.Signed(sign, operand);
    }

    @Override
    Expression cast(TypeName type, Expression value) {
        return new Nodes.Cast(type, value);
    }

    @Override
    Expression element(Expression on, Expression index) {
        return new Nodes.Element(on, index);
    }

    @Override
    Expression classOf(Expression on) {
        return new Nodes.ClassOf(on);
    }

    @Override
    Expression member(Expression on, String name) {
        return new Members.Field(on, name);
    }

    @Override
    Expression call(Expression on, String name, List<Expression> arguments) {
        return new Nodes.Call(on, name, arguments);
    }

    @Override
    Expression number(String text) {
        return new Nodes.Constant(text, Got.plain(Arithmetic.number(text)));
    }

    @Override
    Expression text(String text) {
        return new Nodes.Constant(Show.quoted(text, '"'), Got.of(text.intern())); // equal literals are one object in Java
    }

    @Override
    Expression character(char c) {
        return new Nodes.Constant(Show.text(c), Got.plain(c));
    }

    @Override
    Expression enclosed(Expression inner) {
        return new Nodes.Enclosed(inner);
    }

    @Override
    Expression word(String word) {
        switch (word) {
            case "true":
            case "false":
                return new Nodes.Constant(word, Got.plain(word.equals("true")));
            case "null":
                return new Nodes.Constant(word, Got.of(null));
            case "this":
                return new Nodes.Self(word);
            case "super":
                want(".");
                return new Members.Field(new Nodes.Self(word), name());
            case "new":
                throw new Failure("making objects is not traced: what is traced must only read the program");
            default:
        }
        if (peek().is("->")) {
            throw unexpected();
        }
        return peek().is("(") ? new Nodes.Bare(word, arguments()) : new Members.Name(word);
    }
}

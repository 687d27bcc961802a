package aidb.recorder;

import aidb.expression.Arithmetic;
import aidb.expression.Grammar;
import aidb.expression.Lexer;
import aidb.expression.TypeName;
import aidb.text.Failure;
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
    protected Failure unexpected() {
        Lexer.Token t = peek();
        if (t.kind() == Lexer.Kind.SIGN && (t.is("++") || t.is("--") || t.text().endsWith("="))) {
            return new Failure("%s changes the program, and what is traced must only read it", shown(t));
        }
        return super.unexpected();
    }

    @Override
    protected Expression choice(Expression condition, Expression yes, Expression no) {
        return new Nodes.Choice(condition, yes, no);
    }

    @Override
    protected Expression join(String sign, Expression left, Expression right) {
        return new Nodes.Joined(sign, left, right);
    }

    @Override
    protected Expression instance(Expression value, TypeName type) {
        return new Nodes.Instance(value, type);
    }

    @Override
    protected Expression sign(String sign, Expression operand) {
        return new Nodes.Signed(sign, operand);
    }

    @Override
    protected Expression cast(TypeName type, Expression value) {
        return new Nodes.Cast(type, value);
    }

    @Override
    protected Expression element(Expression on, Expression index) {
        return new Nodes.Element(on, index);
    }

    @Override
    protected Expression classOf(Expression on) {
        return new Nodes.ClassOf(on);
    }

    @Override
    protected Expression member(Expression on, String name) {
        return new Members.Field(on, name);
    }

    @Override
    protected Expression call(Expression on, String name, List<Expression> arguments) {
        return new Nodes.Call(on, name, arguments);
    }

    @Override
    protected Expression number(String text) {
        return new Nodes.Constant(text, Got.plain(Arithmetic.number(text)));
    }

    @Override
    protected Expression text(String text) {
        return new Nodes.Constant(Show.quoted(text, '"'), Got.of(text.intern())); // equal literals are one object in Java
    }

    @Override
    protected Expression character(char c) {
        return new Nodes.Constant(Show.text(c), Got.plain(c));
    }

    @Override
    protected Expression enclosed(Expression inner) {
        return new Nodes.Enclosed(inner);
    }

    @Override
    protected Expression word(String word) {
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

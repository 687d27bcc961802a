package aidb.expression;

import aidb.text.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Reads Java expressions, by recursive descent. Lambdas and statements are refused with a reason. E is an expression that
 * has been read; what one is worth is not known here.
 */
public abstract class Grammar<E> {
    private static final String[][] LEVELS = {
        {"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<", ">", "<=", ">=", "instanceof"}, {"<<", ">>", ">>>"}, {"+", "-"}, {"*", "/", "%"}
    };
    private static final Set<String> STATEMENTS = Set.of("if", "for", "while", "do", "return", "throw", "try", "switch", "var", "import", "class", "synchronized", "assert");

    private final List<Lexer.Token> tokens;
    private int at;

    protected Grammar(String text) {
        tokens = Lexer.cut(text);
    }

    protected abstract E choice(E condition, E yes, E no);

    protected abstract E join(String sign, E left, E right);

    protected abstract E instance(E value, TypeName type);

    protected abstract E sign(String sign, E operand);

    protected abstract E cast(TypeName type, E value);

    protected abstract E element(E on, E index);

    protected abstract E classOf(E on);

    protected abstract E member(E on, String name);

    protected abstract E call(E on, String name, List<E> arguments);

    protected abstract E number(String text);

    protected abstract E text(String text);

    protected abstract E character(char c);

    /** An expression that begins with a name or a word of the language, which has been taken. */
    protected abstract E word(String word);

    /** The expression that the whole text is; a semicolon at its end does not matter. */
    protected final E whole() {
        if (kind() == Lexer.Kind.END) {
            throw new Failure("the expression is empty");
        }
        if (kind() == Lexer.Kind.NAME && STATEMENTS.contains(peek().text())) {
            throw new Failure("'%s' begins a statement: only expressions can be evaluated", peek().text());
        }
        E whole = expression();
        take(";");
        if (kind() != Lexer.Kind.END) {
            throw unexpected();
        }
        return whole;
    }

    protected final Lexer.Token peek() {
        return tokens.get(at);
    }

    private Lexer.Token peek(int ahead) {
        return tokens.get(Math.min(at + ahead, tokens.size() - 1));
    }

    private Lexer.Kind kind() {
        return peek().kind();
    }

    /** Takes the next token, whatever it is. */
    protected final String next() {
        return tokens.get(at++).text();
    }

    protected final boolean take(String sign) {
        if (!peek().is(sign)) {
            return false;
        }
        at++;
        return true;
    }

    protected final void want(String sign) {
        if (!take(sign)) {
            throw new Failure("'%s' is missing before %s at column %d", sign, shown(peek()), peek().at() + 1);
        }
    }

    protected Failure unexpected() {
        Lexer.Token t = peek();
        if (t.is("->") || t.is("::")) {
            return new Failure("lambda expressions and method references cannot be evaluated");
        }
        return new Failure("%s at column %d is not expected there", shown(t), t.at() + 1);
    }

    protected static String shown(Lexer.Token t) {
        return t.kind() == Lexer.Kind.END ? t.text() : "'" + t.text() + "'";
    }

    protected final String name() {
        if (kind() != Lexer.Kind.NAME) {
            throw unexpected();
        }
        return next();
    }

    protected E expression() {
        E condition = binary(0);
        if (!take("?")) {
            return condition;
        }
        E yes = expression();
        want(":");
        return choice(condition, yes, expression());
    }

    private E binary(int level) {
        if (level == LEVELS.length) {
            return unary();
        }
        E left = binary(level + 1);
        while (true) {
            String sign = operator(LEVELS[level]);
            if (sign == null) {
                return left;
            }
            left = sign.equals("instanceof") ? instance(left) : join(sign, left, binary(level + 1));
        }
    }

    /** Takes an operator of a level; a shift to the right is written as several signs. */
    private String operator(String[] level) {
        String sign = peek().text();
        int length = 1;
        if (peek().is(">")) {
            while (length < 3 && peek(length).is(">") && peek(length).at() == peek().at() + length) {
                length++;
            }
            sign = ">".repeat(length);
        }
        if (kind() == Lexer.Kind.STRING || kind() == Lexer.Kind.CHAR || !List.of(level).contains(sign)) {
            return null;
        }
        at += length;
        return sign;
    }

    private E instance(E value) {
        take("final");
        TypeName type = typeName();
        if (kind() == Lexer.Kind.NAME || peek().is("(")) {
            throw new Failure("patterns cannot be evaluated");
        }
        return instance(value, type);
    }

    protected E unary() {
        for (String sign : List.of("+", "-", "!", "~")) {
            if (take(sign)) {
                if (sign.equals("-") && kind() == Lexer.Kind.NUMBER && !peek(1).is(".")) {
                    return number("-" + next());
                }
                return sign(sign, unary());
            }
        }
        E cast = cast();
        return cast != null ? cast : postfix(primary());
    }

    /** "(" Type ")" operand, when it can be nothing else; otherwise nothing is taken. */
    private E cast() {
        int start = at;
        TypeName type = castType();
        if (type == null) {
            at = start;
            return null;
        }
        return cast(type, unary());
    }

    private TypeName castType() {
        if (!take("(") || kind() != Lexer.Kind.NAME) {
            return null;
        }
        TypeName type;
        try {
            type = typeName();
        } catch (Failure e) {
            return null;
        }
        boolean operand = take(")") && (type.primitive() ? !peek().is(")") && kind() != Lexer.Kind.END : startsOperand(peek()));
        return operand ? type : null;
    }

    private static boolean startsOperand(Lexer.Token t) {
        return t.kind() == Lexer.Kind.NAME && !t.is("instanceof") || t.kind() == Lexer.Kind.NUMBER || t.kind() == Lexer.Kind.STRING || t.kind() == Lexer.Kind.CHAR
            || t.is("(") || t.is("!") || t.is("~");
    }

    private TypeName typeName() {
        StringBuilder name = new StringBuilder(name());
        generics();
        while (peek().is(".") && peek(1).kind() == Lexer.Kind.NAME) {
            at++;
            name.append('.').append(name());
            generics();
        }
        int dimensions = 0;
        while (peek().is("[") && peek(1).is("]")) {
            at += 2;
            dimensions++;
        }
        return new TypeName(name.toString(), dimensions);
    }

    protected final void generics() {
        if (!peek().is("<")) {
            return;
        }
        for (int depth = 0; ; at++) {
            Lexer.Token t = peek();
            depth += t.is("<") ? 1 : t.is(">") ? -1 : 0;
            boolean inside = kind() == Lexer.Kind.NAME || t.is("<") || t.is(">") || t.is(",") || t.is(".") || t.is("?") || t.is("[") || t.is("]") || t.is("&");
            if (!inside) {
                throw unexpected();
            }
            if (depth == 0) {
                at++;
                return;
            }
        }
    }

    private E postfix(E value) {
        while (true) {
            E next = take("[") ? element(value) : take(".") ? member(value) : after(value);
            if (next == null) {
                return value;
            }
            value = next;
        }
    }

    /** What else can stand behind an operand, null where it ends. */
    protected E after(E value) {
        return null;
    }

    private E element(E on) {
        E index = expression();
        want("]");
        return element(on, index);
    }

    private E member(E on) {
        if (take("class")) {
            return classOf(on);
        }
        if (take("new")) {
            throw new Failure("creating objects of inner classes through an outer one cannot be evaluated");
        }
        generics();
        String name = name();
        return peek().is("(") ? call(on, name, arguments()) : member(on, name);
    }

    protected final List<E> arguments() {
        List<E> arguments = new ArrayList<>();
        want("(");
        if (take(")")) {
            return arguments;
        }
        do {
            arguments.add(expression());
        } while (take(","));
        if (peek().is("->") || peek().is("::")) {
            throw unexpected();
        }
        want(")");
        return arguments;
    }

    private E primary() {
        switch (kind()) {
            case NUMBER:
                return number(next());
            case STRING:
                return text(next());
            case CHAR:
                String c = next();
                if (c.length() != 1) {
                    throw new Failure("'%s' is not one character: strings are written in \"double quotes\"", c);
                }
                return character(c.charAt(0));
            case NAME:
                return word(next());
            default:
        }
        if (!take("(")) {
            throw unexpected();
        }
        E inner = expression();
        want(")");
        return enclosed(inner);
    }

    /** An expression between parentheses. */
    protected E enclosed(E inner) {
        return inner;
    }
}

package aidb.expression;

import aidb.text.Escapes;
import aidb.text.Failure;
import java.util.ArrayList;
import java.util.List;

/** Cuts an expression into tokens. */
public final class Lexer {
    public enum Kind { NAME, NUMBER, CHAR, STRING, SIGN, END }

    public record Token(Kind kind, String text, int at) {
        public boolean is(String sign) {
            return (kind == Kind.SIGN || kind == Kind.NAME) && text.equals(sign);
        }
    }

    /** Longest first. A shift to the right is put together by the parser: it may close generics. */
    private static final String[] SIGNS = {
        "<<=", "...", "->", "::", "++", "--", "&&", "||", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<",
        "+", "-", "*", "/", "%", "=", "<", ">", "!", "~", "?", ":", "&", "|", "^", "(", ")", "[", "]", "{", "}", ",", ".", ";", "@"
    };

    private final String text;
    private final List<Token> tokens = new ArrayList<>();
    private int at;

    private Lexer(String text) {
        this.text = text;
    }

    public static List<Token> cut(String text) {
        Lexer lexer = new Lexer(text);
        while (lexer.next()) {}
        lexer.tokens.add(new Token(Kind.END, "the end", text.length()));
        return lexer.tokens;
    }

    private boolean next() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        if (at == text.length()) {
            return false;
        }
        int start = at;
        char c = text.charAt(at);
        if (Character.isJavaIdentifierStart(c)) {
            while (at < text.length() && Character.isJavaIdentifierPart(text.charAt(at))) {
                at++;
            }
            tokens.add(new Token(Kind.NAME, text.substring(start, at), start));
        } else if (Character.isDigit(c) || c == '.' && at + 1 < text.length() && Character.isDigit(text.charAt(at + 1))) {
            number();
            tokens.add(new Token(Kind.NUMBER, text.substring(start, at).replace("_", ""), start));
        } else if (c == '"' || c == '\'') {
            tokens.add(new Token(c == '"' ? Kind.STRING : Kind.CHAR, quoted(c), start));
        } else {
            tokens.add(new Token(Kind.SIGN, sign(), start));
        }
        return true;
    }

    private void number() {
        boolean hex = text.startsWith("0x", at) || text.startsWith("0X", at);
        while (at < text.length()) {
            char c = text.charAt(at);
            boolean exponent = !hex && (c == '+' || c == '-') && "eE".indexOf(text.charAt(at - 1)) >= 0;
            if (!Character.isLetterOrDigit(c) && c != '_' && c != '.' && !exponent) {
                return;
            }
            at++;
        }
    }

    private String sign() {
        for (String sign : SIGNS) {
            if (text.startsWith(sign, at)) {
                at += sign.length();
                return sign;
            }
        }
        throw new Failure("'%c' at column %d has no meaning in an expression", text.charAt(at), at + 1);
    }

    private String quoted(char quote) {
        int start = at++;
        StringBuilder out = new StringBuilder();
        while (at < text.length() && text.charAt(at) != quote) {
            char c = text.charAt(at++);
            out.append(c == '\\' && at < text.length() ? escape() : c);
        }
        if (at >= text.length()) {
            throw new Failure("the %s at column %d is not closed", quote == '"' ? "string" : "character", start + 1);
        }
        at++;
        return out.toString();
    }

    private char escape() {
        char c = text.charAt(at++);
        return switch (c) {
            case 's' -> ' ';
            case 'u' -> codeUnit();
            default -> c >= '0' && c <= '7' ? octal(c - '0') : Escapes.meant(c);
        };
    }

    private char codeUnit() {
        if (at + 4 > text.length()) {
            throw new Failure("\\u wants four hexadecimal digits");
        }
        at += 4;
        return (char) Integer.parseInt(text.substring(at - 4, at), 16);
    }

    private char octal(int n) {
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '7' && n < 32) {
            n = n * 8 + text.charAt(at++) - '0';
        }
        return (char) n;
    }
}

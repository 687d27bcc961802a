package aidb.text;

/** What cannot stand in a text between quotes as it is. */
public final class Escapes {
    private static final String MEANT = "\n\t\r\b\f";
    private static final String LETTERS = "ntrbf";

    private Escapes() {}

    /** What a letter behind a backslash means; one that means nothing is itself. */
    public static char meant(char letter) {
        int at = LETTERS.indexOf(letter);
        return at < 0 ? letter : MEANT.charAt(at);
    }

    /** A text as Java's source has it between quotes. */
    public static String escape(String text, char quote) {
        StringBuilder out = new StringBuilder(text.length());
        for (char c : text.toCharArray()) {
            int at = MEANT.indexOf(c);
            if (at >= 0) {
                out.append('\\').append(LETTERS.charAt(at));
            } else if (c == '\\' || c == '"' && quote == '"') {
                out.append('\\').append(c);
            } else if (c < ' ' || c == 0x7f) {
                unicode(c, out);
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }

    public static void unicode(char c, StringBuilder out) {
        out.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
            out.append("0123456789abcdef".charAt(c >> shift & 15));
        }
    }
}

package aidb.bridge;

import aidb.expression.Expression;
import aidb.expression.Parser;
import aidb.text.Failure;
import aidb.text.Obj;
import com.sun.jdi.request.EventRequest;
import java.util.ArrayList;
import java.util.List;

/** One breakpoint or watchpoint of the client, with what must hold for it to stop the program. */
final class Point {
    enum Kind { LINE, FUNCTION, WATCH }

    final Obj asked;
    final Kind kind;
    final int id;
    final String path; // of a line
    final int line;
    final Function function; // of a method
    final Expression condition; // null: none
    final String conditionText;
    final List<Object> log; // texts and expressions of a log message, null: it stops
    final List<EventRequest> requests = new ArrayList<>();
    private final String hitSign;
    private final int hitCount; // 0: each hit counts
    private int hits;
    String message; // why it is not bound, or what is wrong with it
    String boundPath;
    int boundLine;
    boolean verified;
    volatile boolean dropped; // the client has taken it back; events of it may still come
    boolean broken; // its condition or message cannot be read: never bound

    private Point(Kind kind, int id, String path, int line, String function, Obj asked) {
        this.asked = asked;
        this.kind = kind;
        this.id = id;
        this.path = path;
        this.line = line;
        this.function = function == null ? null : Function.parse(function);
        this.boundPath = path;
        this.boundLine = line;
        conditionText = asked.text("condition");
        String hit = asked.text("hitCondition").strip();
        int digits = 0;
        while (digits < hit.length() && !Character.isDigit(hit.charAt(digits))) {
            digits++;
        }
        hitSign = hit.substring(0, digits).strip();
        Expression parsed = null;
        List<Object> parts = null;
        int count = 0;
        try {
            parsed = conditionText.isBlank() ? null : Parser.parse(conditionText);
            parts = asked.text("logMessage").isEmpty() ? null : parts(asked.text("logMessage"));
            count = hit.isEmpty() ? 0 : Integer.parseInt(hit.substring(digits).strip());
        } catch (Failure e) {
            broken = true;
            message = e.getMessage();
        } catch (NumberFormatException e) {
            broken = true;
            message = "the hit condition is no number";
        }
        condition = parsed;
        log = parts;
        hitCount = count;
    }

    static Point line(int id, String path, Obj asked) {
        return new Point(Kind.LINE, id, path, asked.number("line"), null, asked);
    }

    static Point function(int id, Obj asked) {
        return new Point(Kind.FUNCTION, id, null, 0, asked.text("name"), asked);
    }

    static Point watch(int id, Obj asked) {
        return new Point(Kind.WATCH, id, null, 0, null, asked);
    }

    /** "a = {a}" as text and expressions; doubled braces stand for themselves. */
    private static List<Object> parts(String message) {
        List<Object> parts = new ArrayList<>();
        int at = 0;
        while (at < message.length()) {
            int open = message.indexOf('{', at);
            int close = open < 0 ? -1 : message.indexOf('}', open);
            if (close < 0) {
                break;
            }
            parts.add(message.substring(at, open));
            parts.add(Parser.parse(message.substring(open + 1, close)));
            at = close + 1;
        }
        parts.add(message.substring(at));
        return parts;
    }

    /** Whether more than the place decides about a stop. */
    boolean judged() {
        return condition != null || hitCount > 0 || log != null;
    }

    /** Counts a hit and says whether it is one to stop or log at. */
    boolean counts() {
        hits++;
        return switch (hitCount == 0 ? "" : hitSign.isEmpty() ? "==" : hitSign) {
            case "" -> true;
            case ">" -> hits > hitCount;
            case ">=" -> hits >= hitCount;
            case "<" -> hits < hitCount;
            case "<=" -> hits <= hitCount;
            case "%" -> hits % hitCount == 0;
            default -> hits == hitCount;
        };
    }

    Obj told() {
        return Obj.of("id", id, "verified", verified, "message", message, "line", boundLine == 0 ? null : boundLine,
            "source", boundPath == null ? null : Obj.of("path", boundPath));
    }
}

package aidb.text;

import java.util.Comparator;
import java.util.List;

/** Finds what was perhaps meant. */
public final class Closest {
    private Closest() {}

    /** "; did you mean total?", or nothing. */
    public static String meant(String wrong, List<String> known) {
        List<String> like = like(wrong, known, 2);
        return like.isEmpty() ? "" : "; did you mean " + String.join(" or ", like) + "?";
    }

    public static List<String> like(String wrong, List<String> known, int most) {
        int limit = wrong.length() / 3;
        return known.stream().distinct().filter(k -> !k.equals(wrong))
            .filter(k -> distance(wrong.toLowerCase(), k.toLowerCase()) <= limit)
            .sorted(Comparator.comparingInt(k -> distance(wrong, k))).limit(most).toList();
    }

    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}

import java.util.List;

/** A till that takes a cent too many off. */
class Till {
    static int total(List<Integer> prices) {
        int sum = 0;
        for (int price : prices) {
            sum += price;
        }
        sum -= 1; //@mark off
        return sum;
    }

    public static void main(String[] args) {
        int got = total(List.of(3, 4, 5));
        if (got != 12) {
            throw new IllegalStateException("the total is " + got + ", want 12");
        }
    }
}

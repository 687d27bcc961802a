package shop;

public class Calc {
    private int total;

    public int add(int a, int b) {
        int sum = a + b;
        total += sum;
        return sum;
    }

    public int divide(int a, int b) {
        return a / b;
    }

    public static void main(String[] args) {
        Calc calc = new Calc();
        System.out.println("sum " + calc.add(2, 3));
    }
}

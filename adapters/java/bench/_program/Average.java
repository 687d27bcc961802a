// The program that the benchmark debugs: a loop to step through, then an exception.
public class Average {
  static int average(int[] marks, int rounds) {
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
      int mark = marks[i % marks.length];
      sum += mark;
    }
    return sum / marks[marks.length];
  }

  public static void main(String[] args) {
    System.out.println("average: " + average(new int[] {3, 1, 4, 1, 5}, 200));
  }
}

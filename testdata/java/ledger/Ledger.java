import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

/** A program whose values come from elsewhere, for questions about how. */
public class Ledger {
    static class Account {
        final String owner;
        int balance;

        Account(String owner, int balance) {
            this.owner = owner;
            this.balance = balance; //@mark opened
        }
    }

    static class Book {
        final Map<String, Account> accounts = new HashMap<>();
        final int[] limits = new int[100];
        int fees;

        void pay(String name, int amount) {
            Account account = accounts.get(name);
            int part = fee(rates.get("high"), amount); //@mark fee
            account.balance -= amount + part; //@mark balance
            fees += part; //@mark fees
            payments++; //@mark payments
        }

        void elsewhere(int gift) throws InterruptedException {
            List<Thread> threads = new ArrayList<>();
            for (String name : List.of("ann", "bob", "carol")) {
                threads.add(new Thread(() -> {
                    accounts.get(name).balance += gift; //@mark thread
                }, name));
            }
            for (Thread t : threads) {
                t.start();
            }
            for (Thread t : threads) {
                t.join();
            }
        }
    }

    static Map<String, Integer> rates = Map.of("low", 1, "high", 7); //@mark rates
    static int payments;

    static int fee(int rate, int amount) {
        int cut = amount * rate / 10; //@mark cut
        return cut; //@mark returned
    }

    /** Goes wrong in one round of many. */
    static void spread(int[] limits) {
        for (int i = 0; i < limits.length; i++) {
            int limit = i * 2;
            if (i == 70) {
                limit = -limit;
            }
            limits[i] = limit; //@mark element
        }
    }

    static int fib(int n) {
        if (n < 2) {
            return n;
        }
        return fib(n - 1) + fib(n - 2);
    }

    public static void main(String[] args) throws Exception {
        Book book = new Book();
        for (String name : List.of("ann", "bob", "carol")) {
            book.accounts.put(name, new Account(name, 100));
        }
        int[] counter = {0};
        IntConsumer count = n -> {
            counter[0] += n; //@mark captured
        };
        book.elsewhere(5);
        for (int i = 1; i <= 3; i++) {
            book.pay("bob", i * 10); //@mark pay
            count.accept(i);
        }
        spread(book.limits);
        Book again = book;
        again.fees = fib(args.length + 6); //@mark alias
        Account dan = new Account("dan", 1);
        Account.class.getDeclaredField("balance").setInt(dan, 9); //@mark reflected
        Account bob = book.accounts.get("bob");
        int left = bob.balance; //@mark left
        int seen = left; //@mark seen
        System.out.println(seen + " " + counter[0] + " " + book.limits[70] + " " + book.fees + " " + payments + " " + book.accounts.get("ann").balance); //@mark check
    }
}

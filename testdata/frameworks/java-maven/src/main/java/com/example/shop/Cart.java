package com.example.shop;

import java.util.ArrayList;
import java.util.List;

/** What somebody is about to buy. */
public class Cart {
    private final List<Item> items = new ArrayList<>();

    public void add(Item item) {
        items.add(item);
    }

    /** The sum in cents. */
    public int total() {
        int sum = 0;
        for (Item item : items) {
            sum += item.cents() * item.count();
        }
        return sum; // @mark total
    }

    public record Item(String name, int cents, int count) {}
}

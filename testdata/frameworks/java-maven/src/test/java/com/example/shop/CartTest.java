package com.example.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("A cart")
class CartTest {
    private final Cart cart = new Cart();

    @Nested
    @DisplayName("with two kinds of cake")
    class WhenFilled {
        @BeforeEach
        void fill() {
            cart.add(new Cart.Item("apple", 420, 2));
            cart.add(new Cart.Item("plum", 390, 1));
        }

        @Test
        @DisplayName("costs what they cost together (by count)")
        void total() {
            assertEquals(1230, cart.total());
        }
    }

    @Nested
    class WhenEmpty {
        @Test
        void costsNothing() {
            assertEquals(0, cart.total());
        }
    }
}

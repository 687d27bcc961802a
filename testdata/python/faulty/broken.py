def settle(order:
    return order

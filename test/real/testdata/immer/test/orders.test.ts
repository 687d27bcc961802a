import {current, produce} from "../src/immer"

interface Order {
	customer: string
	lines: {price: number; n: number}[]
	total?: number
}

const order: Order = {customer: "Ada", lines: [{price: 4.5, n: 2}, {price: 1.25, n: 4}]}

function sum(order: Order): number {
	return order.lines.reduce((total, line) => total + line.price * line.n, 0)
}

describe("an order", () => {
	it("is summed", () => {
		const next = produce(order, draft => {
			draft.lines.push({price: 2, n: 3})
			draft.total = sum(current(draft))
		})
		expect(next.total).toBe(21)
	})

	it("is not changed itself", () => {
		expect(order.lines).toHaveLength(2)
	})
})

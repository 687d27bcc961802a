import threading, time
a, b = threading.Lock(), threading.Lock()
both = threading.Barrier(2)
def take(first, second):
    with first:
        both.wait()
        with second:
            print("both")
threading.Thread(target=take, args=(a, b), name="one").start()
threading.Thread(target=take, args=(b, a), name="two").start()
time.sleep(3600)

def load():
    try:
        return {}["x"]
    except KeyError as e:
        raise ValueError("no configuration") from e


def main():
    try:
        load()
    except ValueError:
        raise RuntimeError("cannot start")  # @mark raise


main()

/// The reason why a program can't run or its result can't be used, as a sentence for the output line.
struct Trouble: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Why a program can't run or an answer can't be used, as a sentence for whoever reads the line.
struct Trouble: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

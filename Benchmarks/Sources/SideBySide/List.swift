import ArgumentParser
import Measuring

extension SideBySide {
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Prints the names of the figures.")

    func run() {
      for comparison in Catalogue.experiments.flatMap(\.comparisons) { print(comparison.figure.name) }
    }
  }
}

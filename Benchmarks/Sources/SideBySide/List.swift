import ArgumentParser
import Measuring

extension SideBySide {
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Prints the names of the figures.")

    func run() {
      for comparison in Catalogue.experiments.flatMap(\.comparisons) { print(comparison.figure.name) }
      for kind in GrowthKind.all { for quantity in kind.quantities { print(kind.figure(quantity)) } }
    }
  }
}

import EstateContract
import LocalStores

/// The homes that the user compared last; nothing is lost if they are forgotten.
struct ComparedHomes: Sendable {
  private static let key = LocalKey<[Int]>("comparison", default: [], written: .atBackground)

  let data: KeptData?

  func last() async -> [Int] { (try? await data?.ofUser().value(Self.key)) ?? [] }

  func keep(_ homes: [Int]) async { try? await data?.ofUser().set(homes, for: Self.key) }
}

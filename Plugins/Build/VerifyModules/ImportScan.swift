import Foundation
import PackagePlugin

/// Finds the imports of forbidden modules in a target's sources.
enum ImportScan {
  /// Returns the violations in the sources of a target, in the order of its files.
  static func violations(in target: any Target, forbidden: [ForbiddenModule]) throws -> [BoundaryViolation] {
    guard let module = target as? SwiftSourceModuleTarget, !forbidden.isEmpty else { return [] }
    let rule = BoundaryRule(module: target.name, forbidden: forbidden)
    return try module.sourceFiles(withSuffix: "swift").flatMap { file in
      do {
        return rule.violations(in: try Data(contentsOf: file.url), path: file.url.path)
      } catch {
        throw VerificationFailure("\(file.url.path) can't be read: \(error.localizedDescription)")
      }
    }
  }
}

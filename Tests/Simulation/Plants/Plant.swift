import Glibc

/// The fault that is active, in the copy of the sources that Scripts/simulate --plant makes.
package enum Plant {
  private static let active = unsafe getenv("SWITCHYARD_PLANT").map { unsafe String(cString: $0) }

  package static func isActive(_ name: String) -> Bool { active == name }
}

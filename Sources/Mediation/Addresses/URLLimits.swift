/// The limits of the URL profile, in bytes, except for the number of segments.
package enum URLLimits {
  static let url = 8 * 1024
  static let scheme = 64
  static let segments = 64
  package static let parameter = 1024
}

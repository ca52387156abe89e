import Foundation

print("linked with Foundation, at \(Date.now)")

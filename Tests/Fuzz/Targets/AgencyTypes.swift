import JSON
import Time

@testable import AgencyServer

// Types of the agency whose names other modules have too; the name of its module is that of a class.

func readTimeOfToken(_ text: String) { _ = Timestamp(ofToken: text)?.minute }

func readAgencySettings(_ bytes: [UInt8]) {
  if let json = try? JSON(parsing: bytes) { _ = try? AgencySettings(json) }
}
